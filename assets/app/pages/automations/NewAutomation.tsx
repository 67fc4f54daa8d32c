import { Modal, Radio, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createAutomation, createTrigger, refreshAutomate } from "../../api/automation-queries.ts";
import { paths } from "../../paths.ts";
import { useForm } from "../../ui/form.ts";
import { required } from "../../ui/rules.ts";
import { DialogForm } from "../../ui/settings/DialogForm.tsx";
import keyClasses from "../../ui/settings/Keys.module.css";
import classes from "../../ui/settings/Settings.module.css";
import { type TemplateId, templates } from "./templates.ts";

interface Props {
  organization: number;
  /** The template to start from; the dialog is closed without one. */
  template: TemplateId | undefined;
  close: () => void;
}

/** Creates an automation that is off, and opens it. */
export function NewAutomation({ organization, template, close }: Props) {
  return (
    <Modal opened={template !== undefined} onClose={close} title="New automation" size="lg">
      {template && <Form organization={organization} template={template} close={close} />}
    </Modal>
  );
}

function Form({ organization, template: first, close }: Props & { template: TemplateId }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { template: first as string, name: templates[first].name },
    validate: { name: (name: string) => required(name) },
    send: async ({ template, name }) => {
      const { fields, triggers } = templates[template as TemplateId];
      const { id } = await createAutomation(organization, { ...fields, name: name.trim(), enabled: false });
      for (const trigger of triggers) await createTrigger(organization, id, trigger);
      await refreshAutomate(cache, organization);
      close();
      await navigate({ to: paths.automation(organization, id) });
    },
  });
  const choose = (template: string) => {
    const before = templates[form.values.template as TemplateId].name;
    form.setFieldValue("template", template);
    if (form.values.name === before) form.setFieldValue("name", templates[template as TemplateId].name);
  };
  return (
    <DialogForm form={form} cancel={close} label="Create automation" doing="Creating…">
      <Radio.Group label="Begin with" value={form.values.template} onChange={choose}>
        <div className={keyClasses.choices}>
          {Object.entries(templates).map(([id, { label, about }]) => (
            <Radio key={id} value={id} label={label} description={about} />
          ))}
        </div>
      </Radio.Group>
      <TextInput {...form.field("name")} label="Name" maxLength={128} autoComplete="off" data-autofocus />
      <p className={classes.lead}>It is off until you turn it on.</p>
    </DialogForm>
  );
}
