#!/bin/sh
# Logs in to Amazon's registry, for a SERVER_IMAGE that is there. Needs the AWS command line.
. "$(dirname "$0")/lib.sh"

region=$(setting AWS_REGION)
[ -n "$region" ] || fail 'AWS_REGION is not set' 'Set it in .env.static to the region of the registry.'
source=$(image_source)
aws ecr get-login-password --region "$region" | "$(engine)" login --username AWS --password-stdin "${source%%/*}"
