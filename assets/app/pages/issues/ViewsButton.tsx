import { Button, type ButtonProps } from "@mantine/core";
import { Bookmark, ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";

export interface ViewsProps {
  project: number;
  query: string;
  show: (query: string) => void;
}

/** Opens the menu of saved views. */
export function ViewsButton(button: ButtonProps & ComponentProps<"button">) {
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<Bookmark size="0.875rem" aria-hidden />}
      rightSection={<ChevronDown size="0.875rem" aria-hidden />}
      {...button}
    >
      Views
    </Button>
  );
}
