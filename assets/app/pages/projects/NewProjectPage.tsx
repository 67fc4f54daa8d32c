import { Page } from "../../ui/Page.tsx";

export default function NewProjectPage() {
  return <Page title="NewProjectPage">placeholder</Page>;
}
