package org.onesided.conformance;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.testing.Closers;

/**
 * A part of the conformance suite: every test is one rule of the verbs, written against the API alone and run for each
 * device that {@value #DEVICES_PROPERTY} names, comma-separated. Two names with {@code +} between them are the devices
 * of the two sides, where those differ; {@code tcp} stands for one that connects to one that listens, and the other way
 * about. Where a device departs from a rule, {@link Departures} says so.
 */
@ParameterizedClass(name = "{0} with {1}")
@MethodSource("devices")
@ExtendWith(DepartureExtension.class)
@Tag("conformance")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
abstract class Conformance
{
    static final String DEVICES_PROPERTY = "onesided.conformance.devices";

    private static final String TCP = "tcp";
    private static final String LISTENING = "tcp:127.0.0.1:0";

    /** Of the first side. */
    @Parameter(0)
    String device;

    /** Of the second side. */
    @Parameter(1)
    String peerDevice;

    final Closers closers = new Closers();

    static Stream<Arguments> devices()
    {
        return Arrays.stream(System.getProperty(DEVICES_PROPERTY, "shm,tcp").split(","))
            .flatMap((name) -> TCP.equals(name) ? Stream.of(TCP + "+" + LISTENING, LISTENING + "+" + TCP) :
                Stream.of(name.indexOf('+') < 0 ? name + "+" + name : name))
            .map((names) -> Arguments.of((Object[])names.split("\\+")));
    }

    @AfterEach
    void closeAll()
    {
        closers.close();
    }

    /**
     * Two sides, connected.
     */
    Pair pair(final Setup ofA, final Setup ofB)
    {
        return unconnected(ofA, ofB).connect();
    }

    Pair pair()
    {
        return pair(new Setup(), new Setup());
    }

    Pair unconnected(final Setup ofA, final Setup ofB)
    {
        return closers.add(new Pair(device, ofA, peerDevice, ofB));
    }

    Side side(final Setup setup)
    {
        return closers.add(new Side(device, setup));
    }

    /**
     * A side whose queue pairs can be connected to each other.
     */
    Side sideThatListens(final Setup setup)
    {
        return closers.add(new Side(device.equals(TCP) ? peerDevice : device, setup));
    }
}
