import { Page } from "../../ui/Page.tsx";

export default function SetupPage() {
  return <Page title="SetupPage">placeholder</Page>;
}
