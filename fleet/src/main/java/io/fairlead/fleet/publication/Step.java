package io.fairlead.fleet.publication;

/** The steps of a publication in a target, in their order; each is done only when what it makes was observed. */
enum Step {
    /** No other publication, and nothing that the target has, claims the group and version or the backend. */
    CLAIMED("Claimed"),
    /** The Service is there, with an address and the port. */
    SERVICE("Service"),
    /** The Service has endpoints, at least one of them ready. */
    ENDPOINTS("Endpoints"),
    /** Every endpoint proves its name and serves every version. */
    PROBE("Probe"),
    /** An APIService of every version is stored. */
    REGISTERED("Registered"),
    /** The target says that each is available. */
    AVAILABLE("Available"),
    /** Nothing of a publication that is withdrawn is left. */
    WITHDRAWN("Withdrawn");

    private final String spelled;

    Step(String spelled) {
        this.spelled = spelled;
    }

    /** As the status of a publication spells it. */
    String spelled() {
        return spelled;
    }
}
