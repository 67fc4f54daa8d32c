import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../api/queries.ts";
import { Shell } from "../shell/Shell.tsx";
import { Loading } from "../ui/States.tsx";
import { NotFound, NotFoundApart } from "./Missing.tsx";

/** An address that no route has: with the navigation for those who are signed in. */
export function UnknownAddress() {
  const me = useQuery(meQuery);
  if (me.isPending) return <Loading />;
  if (!me.data) return <NotFoundApart />;
  return (
    <Shell>
      <NotFound />
    </Shell>
  );
}
