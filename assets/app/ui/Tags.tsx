import { TagsInput, type TagsInputProps } from "@mantine/core";
import classes from "./settings/Settings.module.css";

/** Values that are typed one by one; the example goes once there is a value, which it would look like. */
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
