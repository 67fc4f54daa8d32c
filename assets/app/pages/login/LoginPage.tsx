import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { localPath } from "../../paths.ts";
import { Plain } from "../../ui/Plain.tsx";
import { LoginForm } from "./LoginForm.tsx";

export default function LoginPage() {
  const { next } = useSearch({ from: "/login" });
  const navigate = useNavigate();
  const cache = useQueryClient();
  const go = async () => {
    cache.clear();
    await navigate({ href: localPath(next) });
  };
  return (
    <Plain title="Sign in">
      <LoginForm onSignedIn={() => void go()} />
    </Plain>
  );
}
