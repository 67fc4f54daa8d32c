import { Page } from "../../ui/Page.tsx";

export default function ReleasePage() {
  return <Page title="ReleasePage">placeholder</Page>;
}
