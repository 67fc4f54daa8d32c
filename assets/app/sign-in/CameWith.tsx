import { CircleAlert } from "lucide-react";
import classes from "../ui/Alarm.module.css";
import { errorWords } from "./errors.ts";

/** Why a sign-in at a provider failed, and what to do about it. */
export function CameWith({ code }: { code: string | undefined }) {
  if (code === undefined) return null;
  const { title, next } = errorWords(code);
  return (
    <div role="alert" className={classes.alarm}>
      <CircleAlert size="1rem" aria-hidden />
      <span>
        <strong>{title}</strong> {next}
      </span>
    </div>
  );
}
