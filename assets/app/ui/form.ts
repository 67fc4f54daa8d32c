import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { ApiError, isStatus, messageOf } from "../api/error.ts";
import { sessionEnded } from "../api/session.ts";

export type Problems<Field extends string> = Partial<Record<Field, string>>;

interface Options<Field extends string> {
  /** What can be told wrong without asking the server. */
  check?: () => Problems<Field>;
  send: () => Promise<unknown>;
  /** The field that a refusal is about; by default the one that it begins with, `email: expected …`. */
  fieldOf?: (error: unknown) => Field | undefined;
  fields: readonly Field[];
}

export interface Form<Field extends string> {
  ref: RefObject<HTMLFormElement | null>;
  busy: boolean;
  /** Beside their fields. */
  problems: Problems<Field>;
  /** What is about no field. */
  failure: unknown;
  onSubmit: (event: FormEvent) => void;
  /** The field was changed: what was said of it is not true any more. */
  changed: (field: Field) => void;
}

/** A form that is sent once at a time, and that puts the focus where the problem is. */
export function useForm<Field extends string>({ check, send, fieldOf, fields }: Options<Field>): Form<Field> {
  const ref = useRef<HTMLFormElement>(null);
  const going = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<Problems<Field>>({});
  const [failure, setFailure] = useState<unknown>();
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) focusProblem(ref.current);
  }, [refusals]);

  const refuse = (found: Problems<Field>, error?: unknown) => {
    setProblems(found);
    setFailure(error);
    setRefusals((count) => count + 1);
  };
  const submit = async () => {
    if (going.current) return;
    const found = check?.() ?? {};
    if (Object.keys(found).length > 0) {
      refuse(found);
      return;
    }
    going.current = true;
    setBusy(true);
    setProblems({});
    setFailure(undefined);
    try {
      await send();
    } catch (error) {
      if (isStatus(error, 401)) sessionEnded();
      const field = fieldOf?.(error) ?? namedField(error, fields);
      if (field) refuse({ [field]: wordsOf(error, field) } as Problems<Field>);
      else refuse({}, error);
    } finally {
      going.current = false;
      setBusy(false);
    }
  };
  return {
    ref,
    busy,
    problems,
    failure,
    onSubmit: (event) => {
      event.preventDefault();
      void submit();
    },
    changed: (field) => {
      if (problems[field] !== undefined) setProblems({ ...problems, [field]: undefined });
    },
  };
}

/** The field that a 422 begins with. */
export function namedField<Field extends string>(error: unknown, fields: readonly Field[]): Field | undefined {
  if (!(error instanceof ApiError) || error.status !== 422) return undefined;
  return fields.find((field) => error.message.startsWith(`${field}:`));
}

/** The server's words without the field's name, which stands beside them. */
export function wordsOf(error: unknown, field: string): string {
  const text = messageOf(error);
  if (!text.startsWith(`${field}:`)) return text;
  const words = text.slice(field.length + 1).trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`.replace(/\.\.$/, ".");
}

function focusProblem(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (field) field.focus();
  // A busy button loses the focus; the alert is read out by its role.
  else if (document.activeElement === document.body) form?.querySelector<HTMLElement>('[type="submit"]')?.focus();
}
