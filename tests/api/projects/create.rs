//! `POST` and `GET /api/v1/organizations/{organization_id}/projects`.

use crate::support::{Project, Response, Server, Value, World, json, world};

fn create(world: &World, body: &Value) -> Response {
    world.owner.post(&format!("{}/projects", world.organization_path())).json(body).send()
}

#[test]
fn only_a_name_is_required() {
    let world = world();
    let project = create(&world, &json!({"name": "  Web Shop (EU)  "})).expect(201);
    assert_eq!(
        (&project["name"], &project["organization_id"]),
        (&json!("Web Shop (EU)"), &json!(world.organization))
    );
    assert!(project["slug"].as_str().unwrap().starts_with("web-shop-eu"), "{project}");
    assert_eq!(project["platform"], Value::Null);
    let scrubbing = &project["settings"]["scrubbing"];
    assert_eq!((&scrubbing["secret_names"], &scrubbing["keep_ip_addresses"]), (&json!(true), &json!(false)));
    let mut fields: Vec<&String> = project.as_object().unwrap().keys().collect();
    fields.sort_unstable();
    assert_eq!(
        fields,
        [
            "created_at",
            "id",
            "name",
            "organization_id",
            "platform",
            "repositories",
            "set_aside",
            "settings",
            "slug",
            "updated_at"
        ]
    );
    let path = format!("/api/v1/projects/{}", project["id"]);
    assert_eq!(world.owner.get(&path).send().expect(200), project);
}

#[test]
fn the_same_name_again_gets_another_slug() {
    let world = World::new(Server::start());
    let slugs: Vec<Value> =
        (0..3).map(|_| create(&world, &json!({"name": "Shop"})).expect(201)["slug"].clone()).collect();
    assert_eq!(slugs, ["shop", "shop-2", "shop-3"]);
    assert_eq!(create(&world, &json!({"name": "shop 2"})).expect(201)["slug"], "shop-2-2");
    assert_eq!(create(&world, &json!({"name": "!?"})).expect(201)["slug"], "project");
    let list = world.owner.get(&format!("{}/projects", world.organization_path())).send().expect(200);
    assert_eq!(list["total"], 5);
    let names: Vec<&Value> =
        list["projects"].as_array().unwrap().iter().map(|project| &project["name"]).collect();
    assert_eq!(names, ["!?", "Shop", "Shop", "Shop", "shop 2"]);
}

#[test]
fn parallel_projects_of_one_name_are_all_made() {
    let world = world();
    let slugs = std::thread::scope(|scope| {
        let makers: Vec<_> = (0..16)
            .map(|_| {
                scope.spawn(|| create(&world, &json!({"name": "At once"})).expect(201)["slug"].to_string())
            })
            .collect();
        makers.into_iter().map(|maker| maker.join().unwrap()).collect::<std::collections::HashSet<_>>()
    });
    assert_eq!(slugs.len(), 16);
}

#[test]
fn invalid_values_are_named() {
    let project = Project::alone();
    let world = &project.world;
    let total = || {
        world.owner.get(&format!("{}/projects", world.organization_path())).send().expect(200)["total"]
            .clone()
    };
    let before = total();
    for (body, part) in [
        (json!({}), "name"),
        (json!({"name": ""}), "name"),
        (json!({"name": "   "}), "name"),
        (json!({"name": "x".repeat(129)}), "name: expected 1 to 128"),
        (json!({"name": "a\u{0}b"}), "name"),
        (json!({"name": 5}), "name"),
        (json!({"name": null}), "name"),
        (json!({"name": "x", "platform": ""}), "platform"),
        (json!({"name": "x", "platform": "p".repeat(65)}), "platform"),
        (json!({"name": "x", "platform": 5}), "platform"),
        (json!({"name": "x", "settings": 5}), "settings"),
        (json!({"name": "x", "settings": {"scrubbing": {"keys": "x"}}}), "settings.scrubbing.keys"),
        (json!({"name": "x", "settings": {"scrubbing": {"keys": [""]}}}), "settings.scrubbing.keys[0]"),
        (
            json!({"name": "x", "settings": {"scrubbing": {"keys": vec!["x"; 101]}}}),
            "settings.scrubbing.keys",
        ),
        (
            json!({"name": "x", "settings": {"scrubbing": {"card_numbers": "yes"}}}),
            "settings.scrubbing.card_numbers",
        ),
        (json!({"name": "x", "settings": {"no_such_setting": 1}}), "no_such_setting"),
    ] {
        create(world, &body).refuse(422, part);
    }
    assert_eq!(total(), before);
}
