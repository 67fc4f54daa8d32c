// What people type is sent by `useForm`: it validates first, sends once at a time, is sent by Enter, and leads to the
// field that is wrong.

/** Mantine's fields for text. */
const field =
  /import \{[^}]*\b(?:TextInput|Textarea|NumberInput|PasswordInput|Autocomplete|TagsInput|JsonInput|PinInput)\b[^}]*\} from "@mantine\/core"/;
/** What sends: a button that shows that it does, one for each provider, a form, a promise that nobody awaits; `navigate` only filters. */
const sends = /<(?:BusyButton|Providers|ProviderButtons|form)\b|=> void (?!navigate\()\w+\(/;

/** Whether the component of a file sends what is typed into it without `ui/form.ts`. */
export const sendsByHand = (source: string): boolean =>
  field.test(source) && sends.test(source) && !/from "[^"]*\/form\.ts"/.test(source);
