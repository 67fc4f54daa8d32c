//! The members of an organization: roles, who may change them, and the owner.

pub mod http;
pub mod sql;

use crate::error::{Error, Result};
use crate::roles::Role;

/// A change of somebody's membership.
#[derive(Debug, Clone, Copy, Default)]
pub struct Change {
    pub role: Option<Role>,
    pub disabled: Option<bool>,
}

/// Whether `actor` may act on `target` and give them `role`: nobody can act above their own role.
///
/// # Errors
/// Forbidden for a target or role above the actor's; conflict for the owner, who can only hand over.
pub fn may(actor: Role, target: Role, role: Option<Role>) -> Result<()> {
    if actor < Role::Admin {
        return Err(Error::forbidden("This needs the role admin. Ask an administrator."));
    }
    if target == Role::Owner || role == Some(Role::Owner) {
        return Err(Error::conflict(
            "An organization has exactly one owner. The owner can hand it over in the organization's settings.",
        ));
    }
    if target > actor || role.is_some_and(|role| role > actor) {
        return Err(Error::forbidden(format!(
            "Your role is {}: you cannot change somebody with a higher role, or give somebody a higher role.",
            actor.as_str()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::may;
    use crate::error::Error;
    use crate::roles::Role::{Admin, Member, Owner};

    #[test]
    fn nobody_can_act_above_their_role() {
        for (actor, target, role) in [
            (Owner, Admin, Some(Member)),
            (Owner, Member, Some(Admin)),
            (Admin, Admin, Some(Member)),
            (Admin, Member, None),
        ] {
            assert!(may(actor, target, role).is_ok(), "{actor:?} {target:?} {role:?}");
        }
        assert!(matches!(may(Member, Member, None), Err(Error::Forbidden(_))));
        assert!(matches!(may(Member, Member, Some(Admin)), Err(Error::Forbidden(_))));
    }

    #[test]
    fn the_owner_changes_only_by_handing_over() {
        for (target, role) in [(Owner, Some(Member)), (Owner, None), (Member, Some(Owner))] {
            assert!(matches!(may(Owner, target, role), Err(Error::Conflict(_))));
            assert!(matches!(may(Admin, target, role), Err(Error::Conflict(_))));
        }
    }
}
