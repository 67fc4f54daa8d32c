import { Skeleton } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSeconds } from "../../../ui/clock.ts";
import own from "./SignIn.module.css";

/** How long the server has been waiting for the provider. */
export function Waiting() {
  const [began] = useState(Date.now);
  const [late, setLate] = useState(false);
  const seconds = Math.max(0, Math.floor((useSeconds() - began) / 1000));
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div className={own.report} aria-busy="true">
      <span className="number">Contacting the provider… {seconds > 1 && `${seconds} s`}</span>
      <Skeleton h="1.25rem" />
      <Skeleton h="1.25rem" />
      <Skeleton h="1.25rem" />
    </div>
  );
}
