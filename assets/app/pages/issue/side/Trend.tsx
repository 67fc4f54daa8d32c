import { useCallback } from "react";
import type { Deploy, Issue } from "../../../api/schema.d.ts";
import { Trend as Chart } from "../../../ui/trend/Trend.tsx";
import { Section } from "../details/Section.tsx";
import { askTrend, numbersKey, type Place } from "../queries.ts";

/** The issue's events per hour or day, with the deploys to where it occurs. */
export function Trend({ place, issue }: { place: Place; issue: Issue }) {
  const environments = issue.environments.join("\n");
  const marks = useCallback(
    ({ environment }: Deploy) => environments.split("\n").includes(environment),
    [environments],
  );
  return (
    <Chart
      project={place.project}
      queryKey={numbersKey(place)}
      ask={(hours, signal) => askTrend(place, hours, signal)}
      marks={marks}
      frame={(tools, chart) => (
        <Section id="trend" title="Events" tools={tools} flush>
          {chart}
        </Section>
      )}
    />
  );
}
