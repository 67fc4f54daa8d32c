import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { platformMax, platforms } from "./platforms.ts";
import classes from "./New.module.css";

export interface Platform {
  /** One of `platforms`, `other`, or none yet. */
  chosen: string;
  /** The text for `other`. */
  other: string;
}

interface Props {
  name: string;
  value?: Platform;
  onChange: (value: Platform) => void;
  error?: ReactNode;
}

const choices = [...platforms, { value: "other", label: "Other" }];

/** Selects the project's platform, which decides the snippet that is shown first. */
export function Platforms({ name, value = { chosen: "", other: "" }, onChange, error }: Props) {
  return (
    <fieldset className={classes.platforms}>
      <legend>What does it run on?</legend>
      <div className={classes.choices}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.choice}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={value.chosen === choice.value}
              onChange={() => onChange({ ...value, chosen: choice.value })}
            />
            {choice.label}
          </label>
        ))}
      </div>
      {value.chosen === "other" && (
        <TextInput
          label="Which one?"
          placeholder="ruby, php, electron"
          description={`Optional, up to ${platformMax} characters.`}
          autoComplete="off"
          spellCheck={false}
          value={value.other}
          error={error}
          onChange={(event) => onChange({ ...value, other: event.currentTarget.value })}
        />
      )}
    </fieldset>
  );
}
