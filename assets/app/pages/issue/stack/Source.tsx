import { exact } from "../../../ui/format.ts";
import { visible } from "../../../ui/visible.ts";
import { hereWords, type Source as Lines } from "./frames.ts";
import { languageOf } from "./language.ts";
import { type Token, cutLine, pieces } from "./pieces.ts";
import classes from "./Source.module.css";
import { useTokens } from "./use-tokens.ts";

interface Props {
  source: Lines;
  file: string | undefined;
  label: string;
  /** Whether this call threw, rather than made the one that did. */
  threw: boolean;
}

/** Lines of source with their numbers; the one that threw or called, and the column in it, marked. */
export function Source({ source, file, label, threw }: Props) {
  const cuts = source.lines.map((line, at) => cutLine(line, at === source.thrown ? source.at : undefined));
  const tokens = useTokens(
    cuts.map((cut) => cut.text),
    languageOf(file),
  );
  return (
    // Scrolls sideways, so the keyboard must get into it.
    <div className={classes.source} tabIndex={0} role="group" aria-label={label}>
      <ol className={classes.lines} dir="ltr">
        {cuts.map((cut, at) => {
          const thrown = at === source.thrown;
          const skipped = cut.from + (thrown ? source.skipped : 0);
          return (
            <li key={at} className={classes.line} data-thrown={thrown ? (threw ? "here" : "below") : undefined}>
              <span className={classes.number}>{source.start === undefined ? "" : source.start + at}</span>
              <code className={classes.code}>
                {thrown && <span className="unseen">{hereWords(threw)}: </span>}
                <Omitted count={skipped} />
                <Text
                  text={cut.text}
                  tokens={tokens?.[at]}
                  at={thrown && source.at !== undefined ? source.at - cut.from : undefined}
                />
                <Omitted count={cut.after} />
              </code>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function Text({ text, tokens, at }: { text: string; tokens: Token[] | undefined; at: number | undefined }) {
  return pieces(text, tokens, at).map((piece, index) =>
    piece.marked ? (
      <mark key={index} className={classes.column}>
        {visible(piece.text)}
      </mark>
    ) : (
      <span key={index} data-kind={piece.kind}>
        {visible(piece.text)}
      </span>
    ),
  );
}

function Omitted({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={classes.omitted} title={`${exact(count)} characters omitted`}>
      … {exact(count)} characters …
    </span>
  );
}
