import { useLocalStorage } from "@mantine/hooks";

/** Whether the thrown frame is last, as in Python; stored on this device. */
export const useThrownLast = () =>
  useLocalStorage<boolean>({ key: "mayday.thrown-last", defaultValue: false, getInitialValueInEffect: false });
