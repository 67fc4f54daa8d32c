import { useLocalStorage } from "@mantine/hooks";

/** Whether the frame that threw comes last, as in Python; remembered on this device. */
export const useThrownLast = () =>
  useLocalStorage<boolean>({ key: "mayday.thrown-last", defaultValue: false, getInitialValueInEffect: false });
