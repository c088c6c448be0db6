package org.onesided.client;

import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.FirstAttempts;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.bootstrap.Offer;
import org.onesided.client.bootstrap.SilenceHint;
import org.onesided.client.cluster.Leaders;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.ClientDevice;
import org.onesided.client.session.Destination;
import org.onesided.client.session.DeviceEvents;
import org.onesided.client.session.FixedDestination;
import org.onesided.client.session.LifeLine;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceNames;
import org.onesided.verbs.Devices;
import org.onesided.verbs.VerbsException;

/**
 * Opens clients: chooses the device, opens it or shares one that is open, and connects a first session.
 */
final class ClientOpener
{
    /** Time for a member of a cluster to tell its devices. */
    private static final long OFFER_NS = TimeUnit.SECONDS.toNanos(1);

    private ClientOpener()
    {
    }

    /** Opens the client of a server, or of a cluster if there are several or the server is a member of one. */
    static StoreClient open(final ClientConfiguration configuration)
    {
        final long atNs = System.nanoTime() + configuration.deadlineNs();
        if (configuration.server().indexOf(',') >= 0)
        {
            return openCluster(configuration, atNs);
        }
        final HostAndPort server = HostAndPort.parse(configuration.server());
        try
        {
            return open(configuration, new FixedDestination(server), configuration.deadlineNs());
        }
        catch (final StoreConnectException e)
        {
            if (e.getCause() instanceof AttachFailedException refusal && refusal.isOfMember())
            {
                return openCluster(configuration, atNs);
            }
            throw e;
        }
    }

    /**
     * Opens a client with a first session at a destination; if the choice of device is open, over the best one that
     * both sides have.
     *
     * @param durationNs nanoseconds that it may take at a destination that moves; elsewhere, that the question for the
     *                   devices may take, and each attempt to connect over one: a device that reaches nothing must not
     *                   take the time of the next.
     */
    static ServerClient open(
        final ClientConfiguration configuration, final Destination destination, final long durationNs)
    {
        final long atNs = System.nanoTime() + durationNs;
        final HostAndPort address = destination.latest();
        final DeviceChoice choice = choice(configuration, address);
        if (!choice.isFixed())
        {
            choice.keep(offer(configuration, destination, atNs));
        }
        while (true)
        {
            final ServerClient client = new ServerClient(context(configuration, destination, choice));
            try
            {
                client.begin(destination.isMoving() ? Math.max(1, atNs - System.nanoTime()) : durationNs);
                return client;
            }
            catch (final RuntimeException e)
            {
                client.close();
                final boolean isLate = destination.isMoving() && atNs - System.nanoTime() <= 0;
                if (isLate || !isOfDevice(e) || choice.isFixed() || !choice.hasNext())
                {
                    throw e;
                }
                choice.refused(e.getCause().getMessage());
            }
        }
    }

    /**
     * Opens a client of a cluster, with a first session for a partition that is served now, if there is one.
     *
     * @param atNs until when, a time of {@link System#nanoTime()}: one deadline for all steps.
     */
    private static ClusterClient openCluster(final ClientConfiguration configuration, final long atNs)
    {
        final List<HostAndPort> seeds =
            Stream.of(configuration.server().split(",", -1)).map(HostAndPort::parse).toList();
        final Leaders leaders = new Leaders(
            seeds, (server, answerNs) -> offer(configuration, server, answerNs, null).cluster(),
            SilenceHint::give, SystemNanoClock.INSTANCE);
        try
        {
            FirstAttempts.run(atNs, () -> false, () -> leaders.open(atNs));
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(configuration.server()));
        }
        final ClusterClient client = new ClusterClient(configuration, leaders);
        try
        {
            client.begin(atNs);
            return client;
        }
        catch (final RuntimeException e)
        {
            client.close();
            throw e;
        }
    }

    private static List<String> offer(
        final ClientConfiguration configuration, final Destination destination, final long atNs)
    {
        try
        {
            if (destination.isMoving())
            {
                final boolean[] isAnew = new boolean[1];
                return FirstAttempts.follow(atNs, false, () -> false, () ->
                {
                    final HostAndPort leader = destination.address(isAnew[0], atNs);
                    isAnew[0] = true;
                    return offerOfMember(configuration, leader, answerNs(atNs));
                });
            }
            final HostAndPort address = destination.latest();
            final SilenceHint hint = new SilenceHint(address);
            return FirstAttempts.run(atNs, () -> false, () -> devices(offer(configuration, address, atNs, hint)));
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(destination.text()));
        }
    }

    private static List<String> offerOfMember(
        final ClientConfiguration configuration, final HostAndPort address, final long atNs)
        throws AttachFailedException
    {
        try
        {
            return offer(configuration, address, atNs, null).devices();
        }
        catch (final AttachFailedException e)
        {
            throw e.ofMember(address);
        }
    }

    private static List<String> devices(final Offer offer) throws AttachFailedException
    {
        if (offer.cluster() != null)
        {
            throw new AttachFailedException(
                AttachFailedException.Kind.NOT_LEADING, "server is a member of a cluster", null);
        }
        return offer.devices();
    }

    /** A member that is silent must not take all the time: another one may lead soon. */
    private static long answerNs(final long atNs)
    {
        final long nowNs = System.nanoTime();
        return nowNs + Math.min(OFFER_NS, atNs - nowNs);
    }

    private static Offer offer(
        final ClientConfiguration configuration, final HostAndPort address, final long atNs, final SilenceHint hint)
        throws AttachFailedException
    {
        final BootstrapConnection bootstrap = new BootstrapConnection(address, configuration.tls(), atNs, hint);
        try
        {
            return bootstrap.askOffer(configuration.token());
        }
        finally
        {
            CloseHelper.quietClose(bootstrap);
        }
    }

    private static boolean isOfDevice(final RuntimeException e)
    {
        return e.getCause() instanceof AttachFailedException && ((AttachFailedException)e.getCause()).isOfDevice();
    }

    private static DeviceChoice choice(final ClientConfiguration configuration, final HostAndPort address)
    {
        try
        {
            final String device = configuration.device();
            final List<String> names = DeviceNames.parse(device);
            final boolean isOpen = names.size() > 1 || names.contains(DeviceChoice.AUTO);
            names.forEach(ClientOpener::checkListensNowhere);
            return new DeviceChoice(device, configuration.connection(), isOpen && address.isThisHost());
        }
        catch (final UnknownHostException e)
        {
            throw new StoreConnectException(
                "no such host: host=" + address.host(), FailureContext.ofServer(address.toString()), e);
        }
        catch (final VerbsException e)
        {
            throw unusable(address, e);
        }
    }

    private static void checkListensNowhere(final String name)
    {
        boolean isListening = false;
        try
        {
            isListening = !DeviceChoice.AUTO.equals(name) && Devices.listenAddress(name) != null;
        }
        catch (final VerbsException e)
        {
            // The exception of the open explains this best.
        }
        if (isListening)
        {
            throw new IllegalArgumentException("a client's device listens nowhere, the server tells where it does; " +
                "give the kind alone: device=" + name);
        }
    }

    private static ClientContext context(
        final ClientConfiguration configuration, final Destination destination, final DeviceChoice choice)
    {
        final HostAndPort address = destination.latest();
        final ClientDevice device;
        try
        {
            device = ClientDevice.open(choice, configuration.hugePages(), configuration.maxSessions());
        }
        catch (final VerbsException e)
        {
            throw unusable(address, e);
        }
        LifeLine lifeLine = null;
        try
        {
            lifeLine = LifeLine.share();
            final ClientContext context = new ClientContext(configuration, destination, device, lifeLine);
            device.watch(new DeviceEvents(context));
            return context;
        }
        catch (final RuntimeException | Error e)
        {
            if (lifeLine != null)
            {
                lifeLine.close();
            }
            device.release();
            throw e;
        }
        catch (final IOException e)
        {
            device.release();
            throw new StoreConnectException(
                "no thread for heartbeats: " + e.getMessage(), FailureContext.ofServer(address.toString()), e);
        }
    }

    private static StoreConnectException unusable(final HostAndPort address, final VerbsException e)
    {
        return new StoreConnectException(
            "device cannot be used: " + e.getMessage(), FailureContext.ofServer(address.toString()), e);
    }
}
