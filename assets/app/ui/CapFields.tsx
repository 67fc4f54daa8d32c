import { NumberInput } from "@mantine/core";
import type { ComponentProps } from "react";

interface Props {
  field: (name: "costUsd" | "tokens" | "outputMb" | "files") => ComponentProps<typeof NumberInput>;
  readOnly?: boolean;
}

/** What a session may use at most. */
export function CapFields({ field, readOnly }: Props) {
  return (
    <>
      <NumberInput
        {...field("costUsd")}
        label="Cost, in US$ (optional)"
        description="Then it pauses. Needs the model gateway, or a model whose answers say what they cost"
        min={0}
        decimalScale={2}
        readOnly={readOnly}
      />
      <NumberInput
        {...field("tokens")}
        label="Tokens (optional)"
        description="Then it pauses. Needs a runner whose agents are in a sandbox"
        min={0}
        allowDecimal={false}
        thousandSeparator=","
        readOnly={readOnly}
      />
      <NumberInput
        {...field("outputMb")}
        label="Output, in MB (optional)"
        description="What it writes out, and the tests of its work. Then it pauses"
        min={0}
        decimalScale={2}
        thousandSeparator=","
        readOnly={readOnly}
      />
      <NumberInput
        {...field("files")}
        label="Changed files (optional)"
        description="More are held back"
        min={0}
        allowDecimal={false}
        readOnly={readOnly}
      />
    </>
  );
}
