import { SettingsArea } from "../../navigation/SettingsArea.tsx";
import { InThisBrowser } from "./notifications/InThisBrowser.tsx";
import { Preferences } from "./notifications/Preferences.tsx";

/** The page of notification preferences. */
export default function PreferencesPage() {
  return (
    <SettingsArea section="notification-preferences">
      <Preferences />
      <InThisBrowser />
    </SettingsArea>
  );
}
