import { SettingsArea } from "../../navigation/SettingsArea.tsx";
import { InThisBrowser } from "./notifications/InThisBrowser.tsx";
import { Preferences } from "./notifications/Preferences.tsx";

/** What the person is told, and how. */
export default function PreferencesPage() {
  return (
    <SettingsArea section="notification-preferences">
      <Preferences />
      <InThisBrowser />
    </SettingsArea>
  );
}
