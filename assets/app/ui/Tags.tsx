import { TagsInput, type TagsInputProps } from "@mantine/core";
import classes from "./settings/Settings.module.css";

/**
 * A field for several values. The placeholder disappears when there is a value, because it would look like another
 * one.
 */
export function Tags({ placeholder, ...props }: TagsInputProps) {
  return (
    <TagsInput
      {...props}
      className={classes.tags ?? ""}
      {...(placeholder !== undefined && { placeholder: (props.value?.length ?? 0) > 0 ? "" : placeholder })}
      acceptValueOnBlur
    />
  );
}
