package io.fairlead.hosted;

/** Which of Kubernetes' own kinds a cluster serves: {@code spec.hosted.builtIns}. */
public enum BuiltIns {
    /** Namespaces, ConfigMaps, Secrets, ServiceAccounts, Events, Leases, RBAC and CustomResourceDefinitions. */
    CORE("Core"),
    /** All kinds of the versions that are stable, those that no controller acts on as data. */
    ALL("All");

    private final String text;

    BuiltIns(String text) {
        this.text = text;
    }

    /** What a registration says; {@link #CORE} if it says nothing that is known. */
    public static BuiltIns of(String text) {
        return text.equals(ALL.text) ? ALL : CORE;
    }

    @Override
    public String toString() {
        return text;
    }
}
