import { NumberInput } from "@mantine/core";
import type { ComponentProps } from "react";

interface Props {
  field: (name: "costUsd" | "tokens" | "outputMb" | "files") => ComponentProps<typeof NumberInput>;
  readOnly?: boolean;
}

/** The caps of a session. */
export function CapFields({ field, readOnly }: Props) {
  return (
    <>
      <NumberInput
        {...field("costUsd")}
        label="Cost, in US$ (optional)"
        description="A session pauses there. Counted with the model gateway, or if the model says what it costs"
        min={0}
        decimalScale={2}
        readOnly={readOnly}
      />
      <NumberInput
        {...field("tokens")}
        label="Tokens (optional)"
        description="A session pauses there. Counted on runners that shut agents in"
        min={0}
        allowDecimal={false}
        thousandSeparator=","
        readOnly={readOnly}
      />
      <NumberInput
        {...field("outputMb")}
        label="Output, in MB (optional)"
        description="A session pauses there. What it writes out counts, and the tests of its work"
        min={0}
        decimalScale={2}
        thousandSeparator=","
        readOnly={readOnly}
      />
      <NumberInput
        {...field("files")}
        label="Changed files (optional)"
        description="Work that changes more is held back until a person has looked at it"
        min={0}
        allowDecimal={false}
        readOnly={readOnly}
      />
    </>
  );
}
