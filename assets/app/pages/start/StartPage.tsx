import { Page } from "../../ui/Page.tsx";

export default function StartPage() {
  return <Page title="StartPage">placeholder</Page>;
}
