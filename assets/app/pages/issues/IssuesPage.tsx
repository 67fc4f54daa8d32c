import { Page } from "../../ui/Page.tsx";

export default function IssuesPage() {
  return <Page title="IssuesPage">placeholder</Page>;
}
