import { Snippet } from "../../ui/Snippet.tsx";
import classes from "./Setup.module.css";

/** Where the setup token is, for who came here without the link. */
export function TokenHelp() {
  return (
    <section className={classes.help} aria-labelledby="token-help">
      <h2 id="token-help">Where is the setup token?</h2>
      <ul>
        <li>
          The server printed <code>Claim this instance: …</code> when it started. Open that link; the form takes the
          link in place of the token, too.
        </li>
        <li>
          On the server, this prints it again; name the data directory that the server uses:
          <Snippet label="Command that prints the token" text="mayday setup-token --data-dir ./data" />
        </li>
        <li>
          Or read the file <code>setup-token</code> in that directory:
          <Snippet label="Command that shows the file" text="cat ./data/setup-token" />
        </li>
      </ul>
    </section>
  );
}
