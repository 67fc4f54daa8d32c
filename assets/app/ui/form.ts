// Forms: `@mantine/form` holds the values and validates them; this handles submitting.

import {
  type GetInputPropsOptions,
  type GetInputPropsReturnType,
  type UseFormInput,
  type UseFormReturnType,
  useForm as useMantineForm,
} from "@mantine/form";
import { type RefObject, useEffect, useRef, useState } from "react";
import { isStatus, messageOf } from "../api/error.ts";
import { sessionEnded } from "../api/session.ts";

type Values = Record<string, unknown>;
type FieldOf<V> = keyof V & string;

interface Options<V extends Values> extends Pick<UseFormInput<V>, "validate" | "validateInputOnChange"> {
  initialValues: V;
  /** Called with valid values, never concurrently. */
  send: (values: V) => Promise<unknown>;
  /** The field that a refusal is about; by default the one its message starts with, as in `email: expected …`. */
  fieldOf?: (error: unknown) => FieldOf<V> | undefined;
}

export interface Form<V extends Values> extends Omit<UseFormReturnType<V>, "onSubmit" | "submitting"> {
  ref: RefObject<HTMLFormElement | null>;
  /** Whether a request is in progress. */
  busy: boolean;
  /** An error that does not belong to a field. */
  failure: unknown;
  /** Clears `failure`. */
  clearFailure: () => void;
  onSubmit: ReturnType<UseFormReturnType<V>["onSubmit"]>;
  /** The props of a field's input. */
  field: (name: FieldOf<V>, options?: GetInputPropsOptions) => GetInputPropsReturnType & { name: string };
}

/**
 * A form that is validated when submitted, and sent once at a time. An error is shown at its field, which gets the
 * focus; typed values stay.
 */
export function useForm<V extends Values>({ send, fieldOf, ...options }: Options<V>): Form<V> {
  const form = useMantineForm<V>(options);
  const ref = useRef<HTMLFormElement>(null);
  const sending = useRef(false);
  const [failure, setFailure] = useState<unknown>();
  const [refusals, setRefusals] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (refusals > 0) focusProblem(ref.current, Object.keys(form.errors));
  }, [refusals]);

  const refuse = () => setRefusals((count) => count + 1);
  const submit = async (values: V) => {
    sending.current = true;
    setFailure(undefined);
    try {
      await send(values);
    } catch (error) {
      if (isStatus(error, 401)) sessionEnded();
      const field = fieldOf?.(error) ?? namedField(error, Object.keys(form.getValues()));
      if (field) form.setErrors({ [field]: wordsOf(error, field) });
      else setFailure(error);
      refuse();
    } finally {
      sending.current = false;
    }
  };
  const check = form.onSubmit(submit, () => {
    setFailure(undefined);
    refuse();
  });
  return {
    ...form,
    ref,
    busy: form.submitting,
    failure,
    clearFailure: () => setFailure(undefined),
    onSubmit: (event) => {
      event?.preventDefault();
      if (!sending.current) check(event);
    },
    field: (name, options) => ({ ...form.getInputProps(name as never, options), name }),
  };
}

/** A form for a stored record: it follows the stored values until somebody edits it. */
export function useRecordForm<V extends Values>(options: Options<V>): Form<V> & { discard: () => void } {
  const form = useForm(options);
  const stored = JSON.stringify(options.initialValues);
  const [shown, setShown] = useState(stored);
  const adopt = (values: V) => {
    const edited = form.isDirty();
    form.resetDirty(values);
    if (!edited) form.setValues(values);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is stored matters
  useEffect(() => {
    if (stored === shown) return;
    setShown(stored);
    adopt(options.initialValues);
  }, [stored, shown]);
  const discard = () => {
    form.reset();
    form.clearFailure();
  };
  return { ...form, discard };
}

/** Messages about a field start with its path: `name: …`, `settings.scrubbing.keys[2]: …`. */
const pathOf = (field: string) => new RegExp(`^(?:\\w+\\.)*${field}(?:\\[\\d+\\])?:\\s*`);

/** The field that a refusal names. */
export function namedField<Field extends string>(error: unknown, fields: readonly Field[]): Field | undefined {
  return isStatus(error, 400, 409, 422) ? fields.find((field) => pathOf(field).test(messageOf(error))) : undefined;
}

/** The server's message without the name of the field where it is shown. */
export function wordsOf(error: unknown, field: string): string {
  const text = messageOf(error);
  const words = text.replace(pathOf(field), "").trim();
  return words === text ? text : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`.replace(/\.\.$/, ".");
}

/** Focuses the first field with an error. A radio group is not marked as invalid, so its first option is focused. */
function focusProblem(form: HTMLFormElement | null, names: string[]): void {
  const choices = names.map((name) => `[data-path="${name}"] input`);
  form?.querySelector<HTMLElement>(['[aria-invalid="true"]', ...choices].join())?.focus();
}
