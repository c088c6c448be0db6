/**
 * The verbs API, its devices, and the layouts and messages that server and client share. Of it, applications use the
 * options that the client's API names; the rest is internal.
 */
// Agrona and jnr-ffi are automatic modules, and the client is compiled later. The server uses more of this, and is no
// module, because jars of Ratis share packages.
@SuppressWarnings({"module", "requires-automatic"})
module org.onesided.protocol
{
    requires com.dynatrace.hash4j;
    requires jdk.management;
    requires jdk.net;
    requires org.agrona;
    requires org.jnrproject.ffi;
    requires org.jnrproject.jffi;
    requires org.slf4j;

    exports org.onesided.protocol.bootstrap;
    exports org.onesided.verbs;

    exports org.onesided.protocol.bootstrap.codec to org.onesided.client;
    exports org.onesided.protocol.rpc to org.onesided.client;
    exports org.onesided.protocol.rpc.codec to org.onesided.client;
    exports org.onesided.protocol.table to org.onesided.client;
    exports org.onesided.waiting to org.onesided.client;

    uses org.onesided.verbs.BootClock.Provider;
    uses org.onesided.verbs.DeviceProvider;
    uses org.onesided.verbs.ThreadFence.Provider;
    uses org.onesided.verbs.UnixDatagrams;
    provides org.onesided.verbs.BootClock.Provider with org.onesided.verbs.posix.SystemBootClock.Provider;
    provides org.onesided.verbs.DeviceProvider with org.onesided.verbs.shm.ShmDeviceProvider,
        org.onesided.verbs.ibv.IbvDeviceProvider, org.onesided.verbs.tcp.TcpDeviceProvider;
    provides org.onesided.verbs.ThreadFence.Provider with org.onesided.verbs.posix.Membarrier;
    provides org.onesided.verbs.UnixDatagrams with org.onesided.verbs.posix.SystemUnixDatagrams;
}
