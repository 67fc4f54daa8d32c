#!/bin/sh
# Logs in to Amazon's registry, for a SERVER_IMAGE that is there. Needs the AWS command line.
. "$(dirname "$0")/lib.sh"

region=$(setting AWS_REGION)
[ -n "$region" ] || fail 'AWS_REGION is not set' 'Set it in .env.static to the region of the registry.'
source=$(image_source)
command -v aws >/dev/null 2>&1 || fail 'the AWS command line is not installed' 'Install awscli, or pull the image by hand and run bootstrap.sh.'
# Not in one pipe, which would hide that the first command failed.
password=$(aws ecr get-login-password --region "$region") || fail "aws gave no password for the registry in $region" 'Check the credentials of the AWS command line: aws sts get-caller-identity'
[ -n "$password" ] || fail "aws gave no password for the registry in $region" 'Check the credentials of the AWS command line: aws sts get-caller-identity'
printf '%s\n' "$password" | "$(engine)" login --username AWS --password-stdin "${source%%/*}"
