import { Button, Textarea } from "@mantine/core";
import { type Form, useForm } from "../ui/form.ts";
import { Keys } from "./Keys.tsx";
import classes from "./MessageForm.module.css";

type Message = Form<{ text: string }>;

/** The state of a message that somebody writes. What is typed while one is sent stays. */
export function useMessage(send: (text: string) => Promise<unknown>): Message {
  const form: Message = useForm({
    initialValues: { text: "" },
    send: async ({ text }) => {
      await send(text.trim());
      if (form.getValues().text.trim() === text.trim()) form.reset();
    },
    fieldOf: () => "text",
  });
  return form;
}

/** Whether somebody wrote something that is not sent yet. */
export const isUnsent = (form: Message): boolean => form.getValues().text.trim() !== "";

interface Props {
  form: Message;
  label: string;
  description?: string;
  /** On the button: `Send`. */
  action: string;
  /** In characters. */
  maxLength?: number;
}

/** A field for a message of several lines, and a button to send it. */
export function MessageForm({ form, action, ...field }: Props) {
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} className={classes.form} noValidate>
      <Textarea
        {...form.field("text")}
        {...field}
        autosize
        minRows={2}
        maxRows={10}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          if (isUnsent(form)) form.onSubmit();
        }}
      />
      <div className={classes.send}>
        <span className={classes.keys}>
          <Keys keys="mod+Enter" />
        </span>
        <Button type="submit" disabled={!isUnsent(form)} loading={form.busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
