import { TextInput, type TextInputProps } from "@mantine/core";

/** The setup token. The whole setup link may be pasted as well. */
export function TokenField(props: TextInputProps) {
  return (
    <TextInput
      {...props}
      label="Setup token"
      classNames={{ input: "mono" }}
      placeholder="0123-4567-89ab-cdef-…"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      required
      withAsterisk={false}
    />
  );
}
