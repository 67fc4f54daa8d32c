import { Page } from "../../ui/Page.tsx";

export default function ReleasesPage() {
  return <Page title="ReleasesPage">placeholder</Page>;
}
