import { expect, test } from "vitest";
import { sendsByHand } from "./forms.ts";

const field = 'import { Button, TextInput } from "@mantine/core";';

test("a text field whose value is sent needs the form", () => {
  for (const send of ['<BusyButton label="Save" />', "<form>", "onClick={() => void save()}", "<Providers />"]) {
    expect(sendsByHand(`${field}\n${send}`), send).toBe(true);
    expect(sendsByHand(`${field}\nimport { useForm } from "../ui/form.ts";\n${send}`), send).toBe(false);
  }
});

test("a filter and a button without a field need none", () => {
  expect(sendsByHand(`${field}\n<TextInput onChange={filter} />`)).toBe(false);
  expect(sendsByHand('import { Select } from "@mantine/core";\n<BusyButton label="Retry" />')).toBe(false);
});
