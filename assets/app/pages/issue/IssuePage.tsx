import { Page } from "../../ui/Page.tsx";

export default function IssuePage() {
  return <Page title="IssuePage">placeholder</Page>;
}
