package org.onesided.client;

import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;
import org.agrona.CloseHelper;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.FirstAttempts;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.bootstrap.SilenceHint;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.ClientDevice;
import org.onesided.client.session.DeviceEvents;
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
    private ClientOpener()
    {
    }

    /** Opens a client with a first session; if the choice of device is open, over the best one that both sides have. */
    static StoreClient open(final ClientConfiguration configuration)
    {
        final HostAndPort address = HostAndPort.parse(configuration.server());
        final DeviceChoice choice = choice(configuration, address);
        if (!choice.isFixed())
        {
            choice.keep(offer(configuration, address));
        }
        while (true)
        {
            final StoreClient client = new StoreClient(context(configuration, address, choice));
            try
            {
                client.begin();
                return client;
            }
            catch (final RuntimeException e)
            {
                client.close();
                if (!isOfDevice(e) || choice.isFixed() || !choice.hasNext())
                {
                    throw e;
                }
                choice.refused(e.getCause().getMessage());
            }
        }
    }

    private static List<String> offer(final ClientConfiguration configuration, final HostAndPort address)
    {
        final long atNs = System.nanoTime() + configuration.deadlineNs();
        final SilenceHint hint = new SilenceHint(address);
        try
        {
            return FirstAttempts.run(atNs, () -> false, () -> offer(configuration, address, atNs, hint));
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
    }

    private static List<String> offer(
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
        final ClientConfiguration configuration, final HostAndPort address, final DeviceChoice choice)
    {
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
            final ClientContext context = new ClientContext(configuration, address, device, lifeLine);
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
