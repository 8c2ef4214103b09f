package io.fairlead.model;

/** The version of Fairlead. */
public final class FairleadVersion {
    /** The version of the jar, or {@code development} where there is none. */
    public static final String NUMBER = number();

    /** The Kubernetes release whose API behaviour hosted clusters follow. */
    public static final String KUBERNETES = "v1.36.3";

    /** The content of {@code /fairlead/v1/version}, by which clients recognise a Fairlead. */
    public static final String PRODUCT = "Fairlead";

    private FairleadVersion() {}

    private static String number() {
        String version = FairleadVersion.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
