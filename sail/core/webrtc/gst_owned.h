// Owning pointers for GStreamer's objects. Only for files that use GStreamer for WebRTC.
#pragma once

#ifndef GST_USE_UNSTABLE_API
#define GST_USE_UNSTABLE_API  // webrtcbin's API is still marked unstable
#endif
#include <gst/gst.h>
#include <gst/webrtc/webrtc.h>

#include <memory>

namespace sail {

struct GstUnref {
  void operator()(GstElement* element) const { gst_object_unref(element); }
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
  void operator()(GstPad* pad) const { gst_object_unref(pad); }
  void operator()(GstSample* sample) const { gst_sample_unref(sample); }
  void operator()(GstWebRTCSessionDescription* description) const {
    gst_webrtc_session_description_free(description);
  }
};

template <typename T>
using GstOwned = std::unique_ptr<T, GstUnref>;

}  // namespace sail
