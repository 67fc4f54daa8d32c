import { Snippet } from "../../ui/Snippet.tsx";
import classes from "./Setup.module.css";

/** Where to find the setup token, for somebody who did not use the link. */
export function TokenHelp() {
  return (
    <section className={classes.help} aria-labelledby="token-help">
      <h2 id="token-help">Where is the setup token?</h2>
      <ul>
        <li>
          The server printed <code>Claim this instance: …</code> when it started. Open that link, or paste it here in
          place of the token.
        </li>
        <li>
          To print it again, run this on the server with the data directory that the server uses:
          <Snippet label="Command that prints the token" text="mayday setup-token --data-dir ./data" />
        </li>
        <li>
          Or read the <code>setup-token</code> file in that directory:
          <Snippet label="Command that shows the file" text="cat ./data/setup-token" />
        </li>
      </ul>
    </section>
  );
}
