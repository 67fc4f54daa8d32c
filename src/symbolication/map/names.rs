//! Names the functions of a source. Issues are grouped by these names, so they depend only on the original
//! text, and changing a rule here changes groups: bump [`super::format::VERSION`] and say so in the
//! CHANGELOG.
//!
//! | source | name |
//! |---|---|
//! | `function foo() {}`, `const foo = () => {}` | `foo` |
//! | `class A { m() {} static s() {} f = () => {} #p() {} }` | `A.m` `A.s` `A.f` `A.#p` |
//! | `class A { constructor() {} get x() {} set x(v) {} }` | `new A` `get A.x` `set A.x` |
//! | `const o = { m() {}, p: { q() {} } }` | `o.m` `o.p.q` |
//! | `call({ m() {} })`, `export default { m() {} }` | `m` |
//! | `a.b = function () {}`, `A.prototype.m = function () {}` | `a.b` `A.m` |
//! | `this.m = () => {}` in a class `A`, elsewhere | `A.m`, `m` |
//! | `const F = memo(() => {})`, `forwardRef`, `useCallback`, … | `F` |
//! | `export default () => {}` | `default` |
//! | a callback without a name in `outer`, at top level | `outer/<anonymous>` `<anonymous>` |
//!
//! A function's own name takes precedence over what it is assigned to. Code outside functions has no name.

use oxc_ast::ast::Function as Function_;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use super::guard::Depth;
use super::labels::{dotted, is_wrapper, key_name, member_part, member_span, pattern_name, shorten};
use super::strings::Strings;

const ANONYMOUS: &str = "<anonymous>";
/// Most parts of `a.b.c` kept, counted from the end.
const MAX_PATH: usize = 6;

/// A function's extent in bytes, and its name's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) name: u32,
}

/// Walks one program and collects its functions, outer before inner.
pub(super) struct Namer<'s> {
    pub(super) functions: Vec<Function>,
    strings: &'s mut Strings,
    depth: Depth,
    /// The function that the walk is currently in; empty at top level.
    current: String,
    /// The class of `this`, if known.
    class: Option<String>,
}

impl<'s> Namer<'s> {
    pub(super) fn new(strings: &'s mut Strings, stack_bytes: usize) -> Self {
        Self {
            functions: Vec::new(),
            strings,
            depth: Depth::here(stack_bytes),
            current: String::new(),
            class: None,
        }
    }

    fn enter(&mut self, span: Span, name: Option<String>, walk: impl FnOnce(&mut Self)) {
        let name = name.unwrap_or_else(|| self.anonymous());
        let id = self.strings.intern(&name);
        self.functions.push(Function { start: span.start, end: span.end, name: id });
        let outer = std::mem::replace(&mut self.current, name);
        walk(self);
        self.current = outer;
    }

    fn anonymous(&self) -> String {
        match self.current.as_str() {
            "" => ANONYMOUS.to_owned(),
            outer if outer.ends_with(ANONYMOUS) => outer.to_owned(),
            outer => shorten(format!("{outer}/{ANONYMOUS}")),
        }
    }

    fn function(&mut self, it: &Function_<'_>, hint: Option<&str>, span: Span, method: bool) {
        if it.body.is_none() {
            return; // An overload or a declaration: no code.
        }
        let name = it.id.as_ref().map(|id| id.name.as_str()).or(hint);
        let class = if method { self.class.clone() } else { None };
        let outer = std::mem::replace(&mut self.class, class);
        self.enter(span, name.map(|name| shorten(name.to_owned())), |this| {
            walk::walk_function(this, it, ScopeFlags::Function);
        });
        self.class = outer;
    }

    fn arrow(&mut self, it: &ArrowFunctionExpression<'_>, hint: Option<&str>, span: Span) {
        self.enter(span, hint.map(|name| shorten(name.to_owned())), |this| {
            walk::walk_arrow_function_expression(this, it);
        });
    }

    /// Visits `it`, which is assigned to or otherwise known as `hint`.
    fn named(&mut self, it: &Expression<'_>, hint: Option<&str>) {
        if self.depth.exceeded() {
            return;
        }
        match it {
            Expression::FunctionExpression(it) => self.function(it, hint, it.span, false),
            Expression::ArrowFunctionExpression(it) => self.arrow(it, hint, it.span),
            Expression::ClassExpression(it) => self.class(it, hint),
            Expression::ObjectExpression(it) => self.object(it, hint),
            Expression::ParenthesizedExpression(it) => self.named(&it.expression, hint),
            Expression::TSAsExpression(it) => self.named(&it.expression, hint),
            Expression::TSSatisfiesExpression(it) => self.named(&it.expression, hint),
            Expression::TSNonNullExpression(it) => self.named(&it.expression, hint),
            Expression::TSTypeAssertion(it) => self.named(&it.expression, hint),
            Expression::ConditionalExpression(it) => {
                self.visit_expression(&it.test);
                self.named(&it.consequent, hint);
                self.named(&it.alternate, hint);
            }
            Expression::LogicalExpression(it) => {
                self.visit_expression(&it.left);
                self.named(&it.right, hint);
            }
            Expression::AssignmentExpression(it) => self.assignment(it, hint),
            Expression::CallExpression(it) if hint.is_some() && is_wrapper(it) => {
                self.wrapper(it, hint);
            }
            _ => walk::walk_expression(self, it),
        }
    }

    fn assignment(&mut self, it: &AssignmentExpression<'_>, hint: Option<&str>) {
        let name = self.target_name(&it.left);
        self.visit_assignment_target(&it.left);
        self.named(&it.right, name.as_deref().or(hint));
    }

    fn wrapper(&mut self, it: &CallExpression<'_>, hint: Option<&str>) {
        match &it.callee {
            // `function () {}.bind(this)`
            Expression::StaticMemberExpression(callee) => self.named(&callee.object, hint),
            callee => self.visit_expression(callee),
        }
        for argument in &it.arguments {
            match argument.as_expression() {
                Some(Expression::ObjectExpression(options)) => self.object(options, None),
                Some(expression) => self.named(expression, hint),
                None => self.visit_argument(argument),
            }
        }
    }

    fn object(&mut self, it: &ObjectExpression<'_>, prefix: Option<&str>) {
        for property in &it.properties {
            match property {
                ObjectPropertyKind::ObjectProperty(it) => self.property(it, prefix),
                ObjectPropertyKind::SpreadProperty(it) => self.visit_spread_element(it),
            }
        }
    }

    fn property(&mut self, it: &ObjectProperty<'_>, prefix: Option<&str>) {
        if it.computed {
            self.visit_property_key(&it.key);
        }
        let name = dotted(prefix, &key_name(&it.key, it.computed));
        let span = member_span(it.span, it.value.span(), it.computed);
        match (&it.value, it.kind) {
            (Expression::FunctionExpression(value), PropertyKind::Get) => {
                self.function(value, Some(&format!("get {name}")), span, false);
            }
            (Expression::FunctionExpression(value), PropertyKind::Set) => {
                self.function(value, Some(&format!("set {name}")), span, false);
            }
            (Expression::FunctionExpression(value), _) => {
                self.function(value, Some(&name), span, false);
            }
            (Expression::ArrowFunctionExpression(value), _) => self.arrow(value, Some(&name), span),
            (value, _) => self.named(value, Some(&name)),
        }
    }

    fn class(&mut self, it: &Class<'_>, hint: Option<&str>) {
        let name = it.id.as_ref().map(|id| id.name.as_str()).or(hint);
        self.visit_decorators(&it.decorators);
        if let Some(heritage) = &it.heritage {
            self.visit_expression(&heritage.expression);
        }
        let outer = std::mem::replace(&mut self.class, name.map(str::to_owned));
        for element in &it.body.body {
            match element {
                ClassElement::MethodDefinition(it) => self.method(it, name),
                ClassElement::PropertyDefinition(it) => {
                    self.field(&it.decorators, &it.key, it.computed, it.value.as_ref(), name);
                }
                ClassElement::AccessorProperty(it) => {
                    self.field(&it.decorators, &it.key, it.computed, it.value.as_ref(), name);
                }
                ClassElement::StaticBlock(it) => self.visit_static_block(it),
                ClassElement::TSIndexSignature(_) => {}
            }
        }
        self.class = outer;
    }

    fn method(&mut self, it: &MethodDefinition<'_>, class: Option<&str>) {
        self.visit_decorators(&it.decorators);
        if it.computed {
            self.visit_property_key(&it.key);
        }
        let member = dotted(class, &key_name(&it.key, it.computed));
        let name = match it.kind {
            MethodDefinitionKind::Constructor => format!("new {}", class.unwrap_or(ANONYMOUS)),
            MethodDefinitionKind::Method => member,
            MethodDefinitionKind::Get => format!("get {member}"),
            MethodDefinitionKind::Set => format!("set {member}"),
        };
        let start = if it.computed { it.value.span.start } else { it.key.span().start };
        let span = Span::new(start, it.value.span.end);
        self.function(&it.value, Some(&name), span, true);
    }

    fn field(
        &mut self,
        decorators: &oxc_allocator::Vec<'_, Decorator<'_>>,
        key: &PropertyKey<'_>,
        computed: bool,
        value: Option<&Expression<'_>>,
        class: Option<&str>,
    ) {
        for decorator in decorators {
            self.visit_decorator(decorator);
        }
        if computed {
            self.visit_property_key(key);
        }
        if let Some(value) = value {
            self.named(value, Some(&dotted(class, &key_name(key, computed))));
        }
    }

    fn target_name(&self, target: &AssignmentTarget<'_>) -> Option<String> {
        if let AssignmentTarget::AssignmentTargetIdentifier(it) = target {
            return Some(it.name.to_string());
        }
        if let Some(member) = target.as_member_expression() {
            return Some(self.member_name(member));
        }
        match target.get_expression()? {
            Expression::Identifier(it) => Some(it.name.to_string()),
            inner => inner.as_member_expression().map(|member| self.member_name(member)),
        }
    }

    /// `a.b.c` of a member expression, without `prototype`, from the innermost known object on.
    fn member_name(&self, member: &MemberExpression<'_>) -> String {
        let mut parts = vec![member_part(member)];
        let mut object = member.object();
        while parts.len() < MAX_PATH {
            match object {
                Expression::Identifier(it) => {
                    parts.push(it.name.to_string());
                    break;
                }
                Expression::ThisExpression(_) => {
                    parts.extend(self.class.clone());
                    break;
                }
                Expression::TSNonNullExpression(it) => object = &it.expression,
                Expression::TSAsExpression(it) => object = &it.expression,
                Expression::ParenthesizedExpression(it) => object = &it.expression,
                other => {
                    let Some(member) = other.as_member_expression() else { break };
                    parts.push(member_part(member));
                    object = member.object();
                }
            }
        }
        if parts.len() > 1 {
            parts.retain(|part| part != "prototype");
        }
        parts.reverse();
        shorten(parts.join("."))
    }
}

impl<'a> Visit<'a> for Namer<'_> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.named(it, None);
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        if !self.depth.exceeded() {
            walk::walk_statement(self, it);
        }
    }

    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        if !self.depth.exceeded() {
            walk::walk_jsx_element(self, it);
        }
    }

    fn visit_binding_pattern(&mut self, it: &BindingPattern<'a>) {
        if !self.depth.exceeded() {
            walk::walk_binding_pattern(self, it);
        }
    }

    fn visit_assignment_target(&mut self, it: &AssignmentTarget<'a>) {
        if !self.depth.exceeded() {
            walk::walk_assignment_target(self, it);
        }
    }

    fn visit_function(&mut self, it: &Function_<'a>, _: ScopeFlags) {
        self.function(it, None, it.span, false);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.class(it, None);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.visit_binding_pattern(&it.id);
        if let Some(init) = &it.init {
            self.named(init, pattern_name(&it.id));
        }
    }

    fn visit_assignment_pattern(&mut self, it: &AssignmentPattern<'a>) {
        self.visit_binding_pattern(&it.left);
        self.named(&it.right, pattern_name(&it.left));
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.visit_decorators(&it.decorators);
        self.visit_binding_pattern(&it.pattern);
        if let Some(init) = &it.initializer {
            self.named(init, pattern_name(&it.pattern));
        }
    }

    fn visit_assignment_target_with_default(&mut self, it: &AssignmentTargetWithDefault<'a>) {
        let name = self.target_name(&it.binding);
        self.visit_assignment_target(&it.binding);
        self.named(&it.init, name.as_deref());
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        let name = Some("default");
        match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => {
                self.function(it, name, it.span, false);
            }
            ExportDefaultDeclarationKind::ClassDeclaration(it) => self.class(it, name),
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => {}
            kind => match kind.as_expression() {
                Some(Expression::ObjectExpression(it)) => self.object(it, None),
                Some(it) => self.named(it, name),
                None => {}
            },
        }
    }

    // Types contain no code.
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}
}
