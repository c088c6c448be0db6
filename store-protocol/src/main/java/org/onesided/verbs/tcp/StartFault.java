package org.onesided.verbs.tcp;

import java.util.Locale;

/**
 * Why nothing became of a connection that somebody made to this device.
 */
enum StartFault
{
    /** The peer speaks another protocol. */
    GARBAGE("what came is no MPA request"),
    /** An MPA request, but not one of this device's kind. */
    UNKNOWN_REQUEST("MPA request is none of a device tcp's"),
    /** The queue pair that is asked for is none, or none any more. */
    QUEUE_PAIR("there is no such queue pair"),
    /** No queue pair has been announced to the peer that asks. */
    SECRET("secret is wrong"),
    /** The queue pair is connected, was so before, or waits for another peer. */
    UNWANTED("queue pair does not wait for this peer"),
    /** The request did not come in time. */
    SILENT("request did not come in time"),
    /** The queue pair did not become ready in time. */
    NOT_READY("queue pair was not ready in time"),
    /** Too many connections without a queue pair, so this one was closed. */
    CROWDED("there are too many connections without a queue pair"),
    /** The peer left within its request, or behind it before it was answered. */
    BROKEN_OFF("peer broke off"),
    /** The peer left without a word, as those do who look whether somebody listens. */
    LEFT(null),
    /** This side could not go on, for instance for want of open files. */
    RESOURCES("this side could not take it");

    private final String text;

    StartFault(final String text)
    {
        this.text = text;
    }

    /**
     * @return description of the fault; null if it is not worth reporting.
     */
    String text()
    {
        return text;
    }

    /**
     * @return name that it is counted by.
     */
    String counter()
    {
        return "start_" + name().toLowerCase(Locale.ROOT);
    }
}
