import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { Deploy, Issue } from "../../../api/schema.d.ts";
import { useCarried } from "../../../navigation/use-carried.ts";
import type { Turn } from "../../../ui/trend/marks.ts";
import { Trend as Chart } from "../../../ui/trend/Trend.tsx";
import { Section } from "../details/Section.tsx";
import { askTrend, numbersKey, type Place, returnsQuery } from "../queries.ts";

/** The issue's events per hour or day, with the deploys to where it occurs, and when it began or came back. */
export function Trend({ place, issue }: { place: Place; issue: Issue }) {
  const environments = issue.environments.join("\n");
  const marks = useCallback(
    ({ environment }: Deploy) => environments.split("\n").includes(environment),
    [environments],
  );
  const { data: returns } = useQuery(returnsQuery(place, issue.substatus));
  const turns = useMemo(
    (): Turn[] => [
      { words: "first seen", time: Date.parse(issue.first_seen), isFirst: true },
      ...(returns ?? []).map((time) => ({ words: "regressed", time })),
    ],
    [issue.first_seen, returns],
  );
  return (
    <Chart
      project={place.project}
      queryKey={numbersKey(place)}
      ask={(hours, signal) => askTrend(place, hours, signal)}
      marks={marks}
      turns={turns}
      along={useCarried("releases")}
      frame={(tools, chart) => (
        <Section id="trend" title="Events" tools={tools} flush>
          {chart}
        </Section>
      )}
    />
  );
}
