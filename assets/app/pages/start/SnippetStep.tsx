import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { sdkOf, sdks } from "../../first-steps/sdks.ts";
import { placeholder, snippetOf } from "../../first-steps/snippets.ts";
import { paths } from "../../paths.ts";
import { Sentence } from "../../ui/Text.tsx";
import { Code } from "./Code.tsx";
import { Step } from "./Step.tsx";
import classes from "./Start.module.css";

interface Props {
  project: number;
  platform: string | null | undefined;
  place: { origin: string; key: string | undefined };
}

/** The snippet to paste for a platform; the choice is in the address. */
export function SnippetStep({ project, platform, place }: Props) {
  const wanted = useSearch({ strict: false, select: (search: Record<string, unknown>) => search.sdk });
  const navigate = useNavigate();
  const sdk = sdkOf(wanted, platform);
  const key = place.key ?? placeholder;
  const choose = (id: string | null) => {
    if (id) void navigate({ href: `${paths.start(project)}?sdk=${id}`, replace: true, resetScroll: false });
  };
  return (
    <Step number={2} title="Paste the snippet">
      <Tabs value={sdk} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label="Platform">
          {sdks.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {sdks.map(({ id, name }) => {
          const { where, text, language, also, tryIt } = snippetOf(id, { origin: place.origin, key });
          return (
            <Tabs.Panel key={id} value={id} className={classes.panel}>
              <p>
                <Sentence text={where} />
              </p>
              <Code text={text} language={language} label={`${name} snippet`} />
              {place.key === undefined && (
                <p className={classes.about}>
                  <mark className={classes.missing}>{placeholder}</mark> stands for your key: create one above, or use
                  one you have stored.
                </p>
              )}
              {also && (
                <>
                  <p>
                    <Sentence text={also.where} />
                  </p>
                  <Code text={also.text} language={also.language} label="Also for this platform" />
                </>
              )}
              {tryIt && (
                <>
                  <p>{tryIt.where}</p>
                  <Code text={tryIt.text} language={tryIt.language} label="Code that throws" />
                </>
              )}
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Step>
  );
}
