//! Lists of handlers, which are read as routes or as what they declare.
//!
//! A server reads them as routes alone: building the declarations of all handlers at each start takes longer than all
//! the rest of it, and their code would be a part of the binary that nobody else needs.

use crate::state::Shared;
use axum::Router;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// What a list of handlers is read as.
pub(super) trait Collection: Sized {
    fn empty() -> Self;

    fn routes(self, handlers: Handlers<impl AddRoutes, impl Describe>) -> Self;

    fn merge(self, other: Self) -> Self;
}

/// Some handlers: as routes, and as what they declare.
pub(super) struct Handlers<A, D> {
    pub add: A,
    pub describe: D,
}

pub(super) trait AddRoutes: FnOnce(Router<Shared>) -> Router<Shared> {}
impl<F: FnOnce(Router<Shared>) -> Router<Shared>> AddRoutes for F {}

pub(super) trait Describe: FnOnce() -> UtoipaMethodRouter<Shared> {}
impl<F: FnOnce() -> UtoipaMethodRouter<Shared>> Describe for F {}

impl Collection for Router<Shared> {
    fn empty() -> Self {
        Self::new()
    }

    fn routes(self, handlers: Handlers<impl AddRoutes, impl Describe>) -> Self {
        (handlers.add)(self)
    }

    fn merge(self, other: Self) -> Self {
        self.merge(other)
    }
}

impl Collection for OpenApiRouter<Shared> {
    fn empty() -> Self {
        Self::new()
    }

    fn routes(self, handlers: Handlers<impl AddRoutes, impl Describe>) -> Self {
        self.routes((handlers.describe)())
    }

    fn merge(self, other: Self) -> Self {
        self.merge(other)
    }
}

/// [`Handlers`] by their names; each has an attribute `utoipa::path`.
macro_rules! routes {
    ($($($part:ident)::+),+ $(,)?) => {
        $crate::routes::collection::Handlers {
            add: |router: axum::Router<$crate::state::Shared>| {
                use utoipa_axum::PathItemExt as _;
                $(
                    let path = utoipa_axum::routes!(@path [path()] of $($part)::+);
                    let methods = utoipa_axum::routes!(@path [methods()] of $($part)::+);
                    let router = methods.iter().fold(router, |router, method| {
                        router.route(&path, axum::routing::on(method.to_method_filter(), $($part)::+))
                    });
                )+
                router
            },
            describe: || utoipa_axum::routes!($($($part)::+),+),
        }
    };
}
pub(super) use routes;
