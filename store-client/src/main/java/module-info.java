/**
 * The client library: lookups by RDMA READ, changes by SEND.
 */
// Agrona and Chronicle are automatic modules.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module org.onesided.client
{
    requires transitive chronicle.bytes;
    requires java.management;
    // Chronicle needs it and cannot say so.
    requires jdk.unsupported;
    requires transitive org.agrona;
    requires transitive org.onesided.protocol;
    requires org.slf4j;

    // Applications that use these name them themselves: a transitive one would have to be there for all that compile.
    requires static cache.api;
    requires static com.fasterxml.jackson.databind;
    requires static micrometer.core;
    requires static micrometer.observation;
    requires static org.jspecify;

    exports org.onesided.client;
    exports org.onesided.client.exceptions;
    // Not "provides" of its CachingProvider: Java 17 would then start no application without cache.api.
    exports org.onesided.client.jcache;
    exports org.onesided.client.micrometer;
    exports org.onesided.client.typed;
    exports org.onesided.client.types;
}
