import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { meQuery } from "../../../api/queries.ts";
import { canTellHere, isToldHere, setToldHere } from "../../../shell/notification-choice.ts";
import { problem } from "../../../ui/notify.ts";
import classes from "../../../ui/settings/Settings.module.css";

/** The switch for the browser's own notifications, which asks the browser for its permission. */
export function InThisBrowser() {
  const person = useQuery(meQuery).data?.id;
  return (
    <>
      <h2>In this browser</h2>
      {!canTellHere() ? (
        <p className={classes.lead}>
          This browser cannot show notifications here. It takes a current browser and an https address.
        </p>
      ) : (
        person !== undefined && <Choice key={person} person={person} />
      )}
    </>
  );
}

function Choice({ person }: { person: number }) {
  const [isOn, setOn] = useState(() => isToldHere(person));
  const [isDenied, setDenied] = useState(() => Notification.permission === "denied");
  const change = async (wanted: boolean) => {
    try {
      const permission = wanted ? await Notification.requestPermission() : Notification.permission;
      setDenied(permission === "denied");
      setToldHere(person, wanted && permission === "granted");
      setOn(isToldHere(person));
    } catch (error) {
      problem("The choice was not saved", error);
    }
  };
  return (
    <>
      <p className={classes.lead}>
        New notifications are shown by the browser while no tab with Mayday is in view, as long as one is open.
      </p>
      <Switch
        label="Show browser notifications"
        checked={isOn}
        disabled={isDenied}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
      />
      {isDenied && (
        <p className={classes.lead}>
          The browser blocks notifications of this site. Allow them in the browser's settings of this site, then load
          this page again.
        </p>
      )}
    </>
  );
}
