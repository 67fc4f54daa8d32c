// Templates for new automations.

import type { AutomationFields, CreateTrigger } from "../../api/schema.d.ts";

export type TemplateId = "errors" | "empty";

interface Template {
  label: string;
  about: string;
  name: string;
  fields: AutomationFields;
  triggers: CreateTrigger[];
}

const lookAtErrors = `Find out why this error happens, and fix its cause.

1. Read issue.md and the files below untrusted/: the stack, the source around it, and what happened before.
2. Find the cause in the code. Do not hide the symptom: an exception that is caught and ignored is no fix.
3. Write a test that fails because of the error, then fix the cause, and run the related tests.
4. If you cannot tell the cause, change nothing, and say what you looked at and what is missing.

Keep the change small. Say in the summary what was wrong and what you changed.`;

export const templates: Record<TemplateId, Template> = {
  errors: {
    label: "Look at new errors",
    about: "For each new issue, an agent looks for the cause and suggests a fix on a branch",
    name: "Look at new errors",
    fields: {
      description: "Looks for the cause of each new issue and suggests a fix",
      agentInstructions: lookAtErrors,
    },
    triggers: [
      {
        provider: "errors",
        name: "New errors",
        config: { events: ["issue.created"], levels: ["fatal", "error"] } as never,
      },
    ],
  },
  empty: {
    label: "Empty",
    about: "Without instructions and triggers",
    name: "",
    fields: {},
    triggers: [],
  },
};
