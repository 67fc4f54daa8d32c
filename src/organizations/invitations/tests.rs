use super::sql::NewInvitation;
use super::*;
use crate::audit::Actor;
use crate::crypto::seal::Seal;
use crate::deliveries::{Deliveries, NewDelivery, service};
use crate::delivery::Failure;
use crate::delivery::mail::{Kind, Mail};
use crate::ids::DeliveryId;
use crate::store::{Fatal, Main, Transaction};

const ACME: OrganizationId = OrganizationId(1);

struct World {
    main: Main,
    actor: Actor,
    _data: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        let rows = "
            insert into users (id, email, name, created_at, updated_at) values (1, 'ada@corp.example', 'Ada', 0, 0);
            insert into organizations (id, name, slug, created_at, updated_at) values (1, 'A', 'a', 0, 0);
            insert into memberships (organization_id, user_id, role, joined_at) values (1, 1, 'owner', 0);";
        main.write_blocking(move |tx| Ok(tx.execute_batch(rows)?)).unwrap();
        Self { main, actor: Actor { id: Some(UserId(1)), ..Actor::operator() }, _data: data }
    }

    fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> crate::error::Result<T> + Send + 'static,
    ) -> T {
        self.main.write_blocking(write).unwrap()
    }

    fn invite(&self) -> InvitationId {
        self.invite_to("bob@corp.example")
    }

    fn invite_to(&self, email: &str) -> InvitationId {
        let new =
            NewInvitation { organization: ACME, email: email.into(), role: Role::Member, inviter: UserId(1) };
        let create = move |tx: &Transaction<'_>| sql::create(tx, &Secret::new("s"), &new, Timestamp::now());
        self.write(create).id
    }

    fn mail(&self, invitation: InvitationId) -> DeliveryId {
        self.write(move |tx| {
            let mail = Mail::new(Kind::Invitation, "bob@corp.example", "Subject", "a link".into())?;
            let deliveries = Deliveries::new(Vec::new(), Seal::new(&Secret::new("key")));
            let delivery = deliveries.add(tx, &NewDelivery::mail(&mail)?.followed(), Timestamp::now())?;
            sql::set_delivery(tx, invitation, delivery)?;
            Ok(delivery)
        })
    }

    fn delivery(&self, id: InvitationId) -> (DeliveryStatus, Option<String>) {
        let get = move |c: &crate::store::Connection| sql::get(c, ACME, id, Timestamp::now());
        let invitation = self.main.readers.read_blocking(get).unwrap().unwrap();
        (invitation.delivery_status, invitation.delivery_error)
    }

    fn renew(&self, id: InvitationId) {
        let actor = self.actor.clone();
        self.write(move |tx| {
            sql::renew(tx, &Secret::new("s"), (ACME, id), (&actor, Role::Owner), Timestamp::now())
        });
    }

    fn waiting(&self) -> i64 {
        let count = |c: &crate::store::Connection| {
            Ok(c.query_row("select count(*) from deliveries where status = 'pending'", (), |row| row.get(0))?)
        };
        self.main.readers.read_blocking(count).unwrap()
    }
}

#[test]
fn an_invitation_shows_the_status_of_its_mail() {
    let world = World::new();
    let id = world.invite();
    assert_eq!(world.delivery(id), (DeliveryStatus::Skipped, None), "without mail");
    let delivery = world.mail(id);
    assert_eq!(world.delivery(id), (DeliveryStatus::Pending, None));
    let passing = Failure::passing("busy");
    world.write(move |tx| service::failed(tx, delivery, &passing, Timestamp::now()));
    assert_eq!(world.delivery(id), (DeliveryStatus::Pending, Some("busy".into())), "it is tried again");
    let refused = Failure::permanent("no such mailbox");
    world.write(move |tx| service::failed(tx, delivery, &refused, Timestamp::now()));
    assert_eq!(world.delivery(id), (DeliveryStatus::Failed, Some("no such mailbox".into())));
    world.renew(id);
    let delivery = world.mail(id);
    world.write(move |tx| service::sent(tx, delivery));
    assert_eq!(world.delivery(id), (DeliveryStatus::Sent, None));
}

#[test]
fn sending_an_invitation_again_replaces_a_waiting_mail() {
    let world = World::new();
    let id = world.invite();
    let former = world.mail(id);
    world.renew(id);
    let newer = world.mail(id);
    assert!(former != newer);
    assert_eq!(world.waiting(), 1);
    // The previous one was in flight, and has failed.
    let refused = Failure::permanent("no such mailbox");
    world.write(move |tx| service::failed(tx, former, &refused, Timestamp::now()));
    assert_eq!(world.delivery(id), (DeliveryStatus::Pending, None));
}

#[test]
fn the_mail_of_a_revoked_invitation_is_not_sent() {
    let world = World::new();
    let id = world.invite();
    let delivery = world.mail(id);
    world.write(move |tx| sql::revoke(tx, ACME, id, Timestamp::now()).map(drop));
    assert_eq!(world.waiting(), 0);
    world.write(move |tx| service::sent(tx, delivery));
    assert_eq!(world.delivery(id), (DeliveryStatus::Skipped, None));
}

#[test]
fn a_revoked_invitation_keeps_the_status_of_its_mail() {
    let world = World::new();
    let (sent, refused) = (world.invite(), world.invite_to("eve@corp.example"));
    let deliveries = (world.mail(sent), world.mail(refused));
    world.write(move |tx| {
        service::sent(tx, deliveries.0)?;
        service::failed(tx, deliveries.1, &Failure::permanent("no such mailbox"), Timestamp::now())?;
        sql::revoke(tx, ACME, sent, Timestamp::now())?;
        sql::revoke(tx, ACME, refused, Timestamp::now()).map(drop)
    });
    assert_eq!(world.delivery(sent), (DeliveryStatus::Sent, None));
    assert_eq!(world.delivery(refused), (DeliveryStatus::Failed, Some("no such mailbox".into())));
}

#[test]
fn the_mail_of_an_invitation_ended_by_membership_is_not_sent() {
    let world = World::new();
    let id = world.invite();
    world.mail(id);
    world.write(|tx| sql::revoke_open(tx, ACME, "bob@corp.example", Timestamp::now()));
    assert_eq!((world.waiting(), world.delivery(id)), (0, (DeliveryStatus::Skipped, None)));
}

#[test]
fn deleting_an_organization_removes_its_mails() {
    let world = World::new();
    world.mail(world.invite());
    world.write(|tx| Ok(tx.execute("delete from organizations", ())?));
    let count = |c: &crate::store::Connection| {
        Ok(c.query_row("select count(*) from deliveries", (), |row| row.get::<_, i64>(0))?)
    };
    assert_eq!(world.main.readers.read_blocking(count).unwrap(), 0);
}
