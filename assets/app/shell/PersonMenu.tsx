import { Group, Menu, useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { meQuery, metaQuery } from "../api/queries.ts";
import { sectionsIn } from "../navigation/lookup.ts";
import type { Opening } from "../ui/Deferred.tsx";
import { Line } from "../ui/Text.tsx";
import { PersonButton } from "./PersonButton.tsx";
import { useSignOut } from "./sign-out.ts";

const schemes = [
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
  { value: "auto", label: "Same as system", Icon: Monitor },
] as const;

/** What is chosen has its mark at the right: all items begin with an icon. */
const mark = { itemIndicator: { order: 1, margin: 0 } } as const;

/** Who is signed in: their own settings, appearance, version, and signing out. */
export default function PersonMenu({ folded, isPressed }: { folded: boolean } & Opening) {
  const me = useQuery(meQuery).data;
  const meta = useQuery(metaQuery).data;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  return (
    <Menu position="top-start" width="15rem" defaultOpened={isPressed}>
      <Menu.Target>
        <PersonButton folded={folded} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me ? <Line text={me.email} /> : "Signed in"}</Menu.Label>
        {sectionsIn("account-settings", {}).map(({ id, to, label, icon: Icon }) => (
          <Menu.Item key={id} component={Link} to={to} leftSection={<Icon size="0.875rem" aria-hidden />}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
          {schemes.map(({ value, label, Icon }) => (
            <Menu.RadioItem key={value} value={value} styles={mark} checkIcon={<Check size="0.875rem" aria-hidden />}>
              <Group gap="xs" wrap="nowrap">
                <Icon size="0.875rem" aria-hidden />
                {label}
              </Group>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size="0.875rem" aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{meta ? `Mayday ${meta.serverVersion}` : "Mayday"}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
